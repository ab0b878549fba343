// Records what JavaScript itself answers about texts and globs, in every matcher era.
//
// Regenerate, from the top folder of the project:
//
//     node tests/language/record_matches.mjs > tests/language/matches.json
//
// Each row is [text, glob, answers], one digit for each of `eras`: 1 matches, 0 does not. Strings
// are sequences of UTF-16 code units; everything outside ASCII is written as \u escapes. The
// regular expressions are built as opencode.md 1.3 says; the pairs are the same on every run.

const eras = {
  W0: { tail: false, slashes: false, flags: "s" },
  W1: { tail: true, slashes: false, flags: "s" },
  W2: { tail: true, slashes: true, flags: "s" },
  W2_WINDOWS: { tail: true, slashes: true, flags: "si" },
};

function matches(era, text, glob) {
  if (era.slashes) {
    text = text.replaceAll("\\", "/");
    glob = glob.replaceAll("\\", "/");
  }
  let escaped = glob
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*/g, ".*")
    .replace(/\?/g, ".");
  if (era.tail && escaped.endsWith(" .*")) escaped = escaped.slice(0, -3) + "( .*)?";
  return new RegExp("^" + escaped + "$", era.flags).test(text);
}

// A linear congruential generator: the same numbers everywhere.
let seed = 20260112;
function below(n) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
}
const pick = (from) => from[below(from.length)];

// Letters whose case folding surprises: dotted and dotless i, long s, Kelvin, Angstrom and Ohm
// signs, sharp s, micro sign and mu, the three sigmas, theta, iota subscript, digraphs, Cherokee,
// Georgian, ligatures, roman numerals, full-width letters, Deseret (outside the basic plane).
const folding = [
  ..."iIsSkKaAzZ", "\u0130", "\u0131", "\u017f", "\u212a", "\u212b", "\u00e5", "\u00c5",
  "\u2126", "\u03c9", "\u03a9", "\u00df", "\u1e9e", "\u00b5", "\u03bc", "\u039c", "\u03c3",
  "\u03c2", "\u03a3", "\u03b8", "\u03d1", "\u03f4", "\u0398", "\u0345", "\u03b9", "\u1fbe",
  "\u0399", "\u1fb3", "\u1fbc", "\u0390", "\u1fd3", "\u01c4", "\u01c5", "\u01c6", "\u01f0",
  "\u0149", "\u13a0", "\uab70", "\u10d0", "\u1c90", "\ufb05", "\ufb06", "\u2160", "\u2170",
  "\uff21", "\uff41", "\u00ff", "\u0178", "\u{10400}", "\u{10428}", "\ud801", "\udc00", "\udc28",
];
const folded = folding.flatMap((text) => folding.map((glob) => [text, glob]));

const texts = [
  "", " ", "*", "?", "**", "a", "A", "ls", "LS", "ls ", "ls -la", "ls\n", "ls\n-la", "lsof",
  " ls", "ls  ", "edit", "Edit", "edi?", "edit2", "task", "todowrite", "a b", "a  b", "git push",
  "src/a.ts", "src\\a.ts", "src/A.TS", "src/a/b.ts", ".env", "a/.env", "a/b/.env", "x.env", "axenv",
  "plans/p.md", "C:\\Users\\x", "c:/users/X", "/", "\\", "//", "a\\", "a/", "\n", "\r\n", "\u2028",
  "a\nb", "\u{1f600}", "\ud83d", "\ude00", "a\u{1f600}b", "\ude00\ud83d", "(a|b)", "[a]", "a+", "^$",
  "a{2}", "$HOME", "~/x", "stra\u00dfe", "STRASSE", "\u0130stanbul", "istanbul", "\u212aelvin",
];
const globs = [
  "", "*", "**", "* *", "***", "?", "??", "?*", "*?", "? *", " *", "  *", " **", "* ", "ls *",
  "ls **", "ls ?*", "ls*", "ls ?", "l? *", "*ls *", "LS *", "edit", "edi?", "e*t", "EDI?", "*t*",
  "task*", "todo*", "git *", "git * *", "src/*", "src\\*", "src/**", "src\\a.ts", "src/?.ts", "*.ts",
  "*.env", "**/.env", "*/.env", ".env", "?env", "plans/*.md", "C:\\*", "c:/*", "\\", "/", "a\\*",
  "\\*", "a/", "*\n*", "\n", "?\n", "a?b", "a??b", "\ud83d?", "?\ude00", "\u{1f600}", "*\ude00",
  "(a|b)", "[a]", "a+", "^$", "a{2}", "a.", "$HOME", "~/*", "stra\u00dfe", "stra??e", "i*", "I*",
  "\u0130*", "k*", "\u212a*", "*a*a*b", "*(*", "a b *",
];
const product = texts.flatMap((text) => globs.map((glob) => [text, glob]));

// A glob made from a text, so that it often matches: parts become wildcards or change case.
const alphabet = ["a", "b", "A", " ", " ", "/", "\\", "\n", "*", "?", ".", "\u017f", "\u{1f600}"];
function blurred(unit) {
  const choice = below(12);
  if (choice === 0) return "?";
  if (choice === 1) return "*";
  if (choice === 2) return unit + "*";
  if (choice === 3) return unit.toUpperCase();
  if (choice === 4) return pick(alphabet);
  return unit;
}
const random = Array.from({ length: 2500 }, () => {
  const text = Array.from({ length: below(7) }, () => pick(alphabet)).join("");
  const glob = text.split("").map(blurred).join("") + pick(["", "", "", " *", "*", " **"]);
  return [text, glob];
});

const ascii = (value) =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"),
  );
const seen = new Set();
const rows = [...folded, ...product, ...random]
  .filter(([text, glob]) => {
    const key = JSON.stringify([text, glob]);
    return !seen.has(key) && seen.add(key);
  })
  .map(([text, glob]) => {
    const answers = Object.values(eras).map((era) => (matches(era, text, glob) ? "1" : "0"));
    return ascii([text, glob, answers.join("")]);
  });
process.stdout.write(
  `{"eras": ${JSON.stringify(Object.keys(eras))}, "rows": [\n${rows.join(",\n")}\n]}\n`,
);
