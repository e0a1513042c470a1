import 'reflect-metadata';
import { Matches, validate } from 'class-validator';
import { TextField } from './fields';
import { nameFieldsToHostValidator } from './host-validator';

class NoteDto {
  @TextField({ description: 'a text', max: 5 }) text: string;
}

class LongNoteDto extends NoteDto {
  @TextField({ description: 'a title', max: 5 }) title: string;
}

/** As a host's `ValidationPipe` asks at its strictest. */
const refusals = async (input: object): Promise<string[]> =>
  (await validate(input, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true })).map(
    ({ property }) => property,
  );

describe("our classes under a host's class-validator", () => {
  const note = Object.assign(new LongNoteDto(), { text: 'a', title: 'b' });

  it('pass with the fields they declare, and no others, once these are named', async () => {
    expect(await refusals(note)).toHaveLength(1);
    nameFieldsToHostValidator();
    nameFieldsToHostValidator();
    expect(await refusals(note)).toEqual([]);
    expect(await refusals(Object.assign(new NoteDto(), { text: 'a', more: 1 }))).toEqual(['more']);
  });

  it('may have no rule of its kind beside ours, as nobody would ask it', () => {
    class MixedDto {
      @TextField({ description: 'a text', max: 5 }) @Matches(/^a/) text: string;
    }
    expect(MixedDto).toBeDefined();
    expect(() => {
      nameFieldsToHostValidator();
    }).toThrow('MixedDto.text has a rule of class-validator');
  });
});
