import { methodNamesOf, oncePerClass } from './once-per-class';

describe('what is found on a class', () => {
  class Base {
    inherited(): void {
      // Only its name counts.
    }
  }

  class Derived extends Base {
    own(): void {
      // Only its name counts.
    }
  }

  it('is looked for once for each class, whatever it is', () => {
    const asked: string[] = [];
    const find = oncePerClass((type: typeof Base) => asked.push(type.name));
    [Base, Derived, Base, Derived].forEach((type) => find(type));
    expect(asked).toEqual(['Base', 'Derived']);
  });

  it('is looked for again after a failure', () => {
    const find = oncePerClass((type: typeof Base): string => {
      if (type.name === 'Base') throw new Error('staged');
      return type.name;
    });
    expect(() => find(Base)).toThrow('staged');
    expect(() => find(Base)).toThrow('staged');
    expect(find(Derived)).toBe('Derived');
  });

  it('are its methods, with those that it inherits', () => {
    expect(methodNamesOf(Derived.prototype)).toEqual(['own', 'inherited']);
  });
});
