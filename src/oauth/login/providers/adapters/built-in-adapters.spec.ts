import { builtInAdapters } from './index';

describe('built-in provider templates', () => {
  const adapters = builtInAdapters.map((Adapter) => new Adapter());

  it('have names and labels that differ', () => {
    const names = adapters.map(({ template }) => template);
    expect(new Set(names).size).toBe(adapters.length);
    expect(new Set(adapters.map(({ preset }) => preset.label)).size).toBe(adapters.length);
  });

  it.each(adapters.map((adapter) => [adapter.template, adapter.preset.label]))('%s has a label', (_, label) => {
    expect(label.trim()).not.toBe('');
  });
});
