// Runs in node: one glTF file resampled by @gltf-transform at one tolerance after another.
//
// `node resample.mjs INPUT OUTPUT`. Every line of standard input is a tolerance; the answer is OUTPUT, then a line with
// the seconds that resampling took.
import { createInterface } from 'node:readline';
import { NodeIO, VERSION } from '@gltf-transform/core';
import { resample } from '@gltf-transform/functions';

const [input, output] = process.argv.slice(2);
const io = new NodeIO();
console.log(VERSION);
for await (const line of createInterface({ input: process.stdin })) {
  const document = await io.read(input);
  const began = process.cpuUsage();
  await document.transform(resample({ tolerance: Number(line), cleanup: false }));
  const { user, system } = process.cpuUsage(began);
  await io.write(output, document);
  console.log((user + system) / 1e6);
}
