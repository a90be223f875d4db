import { onChange } from "../model/changes";
import { placeName } from "../model/selection";
import { model } from "./studio";

/** Tell the server what is selected: a script that looks on may ask for it. */
export function tellSelection(): void {
  onChange(
    () => [...model.selection.controls.value, ...model.selection.points.value.map(({ place }) => placeName(place))].join("\n"),
    (names) => {
      if (model.connection.state.peek() === "open") void model.ask({ type: "selected", names: names.split("\n").filter(Boolean) });
    },
  );
}
