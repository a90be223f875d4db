import { describe, expect, it } from "vitest";
import { recall, remember } from "../src/app/layout_memory";

function storage(): { getItem(key: string): string | null; setItem(key: string, value: string): void; text: string | null } {
  return {
    text: null,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

describe("the remembered layout", () => {
  const panels = ["viewport", "graph"];
  const layout = { panels: { viewport: {}, graph: {} } };

  it("comes back as it was", () => {
    const kept = storage();
    remember(kept, layout);
    expect(recall(kept, panels)).toEqual(layout);
  });

  it("is forgotten when panels have come or gone", () => {
    const kept = storage();
    remember(kept, layout);
    expect(recall(kept, ["viewport"])).toBeNull();
    expect(recall(kept, ["viewport", "graph", "sketch"])).toBeNull();
    expect(recall(kept, ["viewport", "curves"])).toBeNull();
  });

  it.each([null, "", "{", "7", "null", '{"version":0,"layout":{"panels":{}}}', '{"version":1}', '{"version":1,"layout":{"panels":null}}'])(
    "is nothing when broken: %j",
    (text) => expect(recall({ getItem: () => text }, panels)).toBeNull(),
  );
});
