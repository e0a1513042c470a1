import { Injectable } from '@nestjs/common';
import { checkInput } from '../../platform/http/input';
import { presentMembers } from '../../platform/util';
import {
  AttributesService,
  AttributeView,
  CreateAttributeDto,
  newAttribute,
  NewAttributeInput,
} from '../../users/attributes';
import { DeclaredItem, naming } from './declared-item';
import { DeclaredAttribute } from './host-declarations';

/** What a declaration leaves out is declared, too. */
const DEFAULTS = {
  description: { en: '', zh: '' },
  owner: 'none',
  required: 'no',
  unique: false,
  searchable: false,
  source: 'local',
};

@Injectable()
export class DeclaredAttributesService {
  constructor(private readonly attributes: AttributesService) {}

  async item({ name, maxLength: max_length, ...declared }: DeclaredAttribute): Promise<DeclaredItem> {
    const what = `attribute "${name}"`;
    const body = { ...DEFAULTS, ...presentMembers({ name, max_length, ...declared }) };
    const input = await naming(what, () => checkInput(CreateAttributeDto, body));
    const content = await naming(what, () => contentOf(newAttribute(input, 0)));
    return {
      kind: 'attribute',
      name,
      content,
      read: async () => {
        const found = await this.find(name);
        return found && contentOf(found);
      },
      write: () => naming(what, () => this.write(input)),
    };
  }

  private async find(name: string): Promise<AttributeView | undefined> {
    return (await this.attributes.list()).find((known) => known.name === name);
  }

  private async write(input: NewAttributeInput): Promise<void> {
    const { name, ...change } = input;
    if (!(await this.find(name))) await this.attributes.create(input);
    else await this.attributes.change(name, { ...NO_LIMITS, ...change });
  }
}

const NO_LIMITS = { min: null, max: null, max_length: null, pattern: null };

/** Its place in lists is the operators'. */
const contentOf = ({
  type,
  label,
  description,
  rules,
  owner,
  required,
  unique,
  searchable,
  source,
}: AttributeView): object => ({
  ...{ type, label, description, rules },
  ...{ owner, required, unique, searchable, source },
});
