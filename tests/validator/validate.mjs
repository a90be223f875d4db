// Validates the glTF files named on the command line; prints one JSON object: {file: report}.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import validator from "gltf-validator";

const reports = {};
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(await readFile(file));
  const report = await validator.validateBytes(bytes, {
    uri: file,
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(await readFile(join(dirname(file), decodeURIComponent(uri)))),
  });
  reports[file] = report.issues;
}
console.log(JSON.stringify(reports));
