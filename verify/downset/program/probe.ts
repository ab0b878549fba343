// A tool of a project, as users write them: it asks the program for permissions and notes the
// answers. What to ask for is in a file named after the call: [[permission, pattern, always], ...].
import fs from "fs"

const FIBER = "~effect/Fiber/currentFiber"

// Some releases give tools a description of the request (an Effect) in place of a promise.
function started(request: any, fiber: any): Promise<unknown> {
  if (request && typeof request.then === "function") return request
  const made = new fiber.constructor(fiber.services ?? fiber.context, true)
  return new Promise((resolve, reject) => {
    made.addObserver((exit: any) =>
      exit._tag === "Success" ? resolve(exit.value) : reject(new Error(JSON.stringify(exit))),
    )
    made.evaluate(request)
  })
}

export default {
  description: "Asks for permissions and notes the answers.",
  args: {},
  async execute(_args: unknown, ctx: any) {
    const fiber = (globalThis as any)[FIBER]
    const file = `${process.env.DOWNSET_PROBES}/${ctx.callID}.json`
    const wanted = JSON.parse(fs.readFileSync(file, "utf8"))
    const answers = wanted.map(async ([permission, pattern, always]: string[]) => {
      try {
        const metadata = { probe: true, always: always ?? "" }
        const request = { permission, patterns: [pattern], always: [always ?? pattern], metadata }
        await started(ctx.ask(request), fiber)
        return "ran"
      } catch (error: any) {
        return `${error?.name}: ${error?.message}`
      }
    })
    fs.writeFileSync(`${file}.answers`, JSON.stringify(await Promise.all(answers)))
    return "asked"
  },
}
