import { rejectedRecords } from './otlp-logs';

describe('rejectedRecords', () => {
  it.each([
    ['nothing', '', 0],
    ['an empty object', '{}', 0],
    ['a warning only', '{"partialSuccess":{"errorMessage":"slow"}}', 0],
    ['a number', '{"partialSuccess":{"rejectedLogRecords":2}}', 2],
    ['a number as text', '{"partialSuccess":{"rejectedLogRecords":"3"}}', 3],
    ['a text', 'accepted', undefined],
    ['null', 'null', undefined],
    ['the beginning of an object', '{"partialSuccess":{"rejectedLogRec', undefined],
  ])('reads from %s how many were dropped', (_, answer, dropped) => {
    expect(rejectedRecords(answer)).toBe(dropped);
  });
});
