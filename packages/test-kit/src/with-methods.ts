/** A part with some of its methods replaced, to take it away or to watch it; the rest is the real one. */
export function withMethods<Part extends object>(part: Part, replaced: Partial<Part>): Part {
  return new Proxy(part, {
    get: (target, name) => {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name);
      const member: unknown = Reflect.get(target, name);
      // Bound, because private fields are not reached through a proxy.
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
