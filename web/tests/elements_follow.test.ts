// @vitest-environment happy-dom
import { signal } from "@preact/signals-core";
import { html, type TemplateResult } from "lit";
import { afterEach, expect, test } from "vitest";
import { follow } from "../src/elements/follow";
import { SignalElement } from "../src/elements/signal_element";

const [name, frame, unread] = [signal("hand"), signal(0), signal(0)];
let renders = 0;

class Reading extends SignalElement {
  override render(): TemplateResult {
    renders++;
    return html`<b>${name.value}</b><i title="on ${follow(() => frame.value)}">${follow(() => frame.value * 2)}</i>`;
  }
}
customElements.define("test-reading", Reading);

async function shown(): Promise<Reading> {
  const element = document.body.appendChild(new Reading());
  await element.updateComplete;
  renders = 0;
  return element;
}

const displayed = (): Promise<unknown> => new Promise(requestAnimationFrame);
const textOf = (element: Reading): string => element.renderRoot.textContent ?? "";

afterEach(() => document.body.replaceChildren());

test("a component renders when a signal that it read changes, and only then", async () => {
  const element = await shown();
  unread.value++;
  await element.updateComplete;
  expect(renders).toBe(0);
  name.value = "foot";
  await element.updateComplete;
  expect(renders).toBe(1);
  expect(textOf(element)).toMatch(/^foot/);
});

test("what is followed is written without a rendering, once a displayed frame", async () => {
  const element = await shown();
  for (const now of [3, 4, 5]) frame.value = now;
  await displayed();
  await displayed();
  expect(renders).toBe(0);
  expect(textOf(element)).toMatch(/10$/);
  expect(element.renderRoot.querySelector("i")?.title).toBe("on 5");
});

test("off the page nothing is heard; back on it all is as it should be", async () => {
  const element = await shown();
  element.remove();
  name.value = "head";
  frame.value = 21;
  await displayed();
  expect(renders).toBe(0);
  document.body.append(element);
  await element.updateComplete;
  await displayed();
  expect(textOf(element)).toBe("head42");
});
