import { Injectable } from '@nestjs/common';
import { AttributeRepository } from './attribute.repository';

/** What trusts the values of attributes, such as claims of applications. */
export interface AttributeReader {
  /** Whether it reads the attribute. Runs in a transaction that keeps the definition. */
  reads(name: string): Promise<boolean>;
}

/** Knows what reads attributes: such an attribute is never the owner's to write, and is not deleted. */
@Injectable()
export class AttributeReaders {
  private readonly readers: AttributeReader[] = [];

  constructor(private readonly attributes: AttributeRepository) {}

  /** Call while modules are constructed. */
  register(reader: AttributeReader): void {
    this.readers.push(reader);
  }

  async isRead(name: string): Promise<boolean> {
    for (const reader of this.readers) if (await reader.reads(name)) return true;
    return false;
  }

  /**
   * Why attributes must not be read, by name: unknown ones, and those that their owners write. The others stay so until the
   * transaction ends, which stores the reader.
   */
  async problemsOf(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const attributes = await this.attributes.findForWriting(names);
    const owners = new Map(attributes.map(({ name, owner }) => [name, owner]));
    return new Map(
      names.flatMap((name): [string, string][] => {
        const owner = owners.get(name);
        if (owner === undefined) return [[name, 'attribute_unknown']];
        return owner === 'write' ? [[name, 'attribute_trusted']] : [];
      }),
    );
  }
}
