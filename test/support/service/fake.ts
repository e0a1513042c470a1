/** A fake of a class, with the members that a test needs: their names are checked, so that a renamed one breaks the build. */
export const fake = <T>(members: { readonly [Name in keyof T]?: unknown }): T => members as T;

type Fakes<T extends readonly unknown[]> = {
  readonly [Place in keyof T]?: { readonly [Name in keyof T[Place]]?: unknown };
};

/** Fakes of the arguments of a constructor, in its order. */
export const fakeArguments = <T extends readonly unknown[]>(fakes: Fakes<T>): T => fakes as unknown as T;
