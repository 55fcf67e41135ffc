// How `console.log` and a notebook's last line show an object.

const inspectCustom: symbol = Symbol.for("nodejs.util.inspect.custom");

/** From now on Node shows `target`, and what inherits from it, as the text of `show`. */
export function showAs<T extends object>(target: T, show: (shown: T) => string): void {
  Object.defineProperty(target, inspectCustom, {
    configurable: true,
    value(this: T) {
      return show(this);
    },
  });
}
