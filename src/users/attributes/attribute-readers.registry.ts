import { Injectable } from '@nestjs/common';

/** What trusts the values of attributes, such as claims of applications. */
export interface AttributeReader {
  /** Whether it reads the attribute. Runs in a transaction that keeps the definition. */
  reads(name: string): Promise<boolean>;
}

/** Knows what reads attributes: such an attribute is never the owner's to write, and is not deleted. */
@Injectable()
export class AttributeReaders {
  private readonly readers: AttributeReader[] = [];

  /** Call while modules are constructed. */
  register(reader: AttributeReader): void {
    this.readers.push(reader);
  }

  async isRead(name: string): Promise<boolean> {
    for (const reader of this.readers) if (await reader.reads(name)) return true;
    return false;
  }
}
