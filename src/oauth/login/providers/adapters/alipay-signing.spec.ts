import { verifyRsaSha256 } from '../../../../platform/crypto';
import { memberText, signedText, timestampOf } from './alipay-signing';

describe('Alipay signing', () => {
  it('signs every parameter with a value except the signature, sorted by name', () => {
    const fields = { method: 'm', app_id: '1', sign: 'x', charset: '', biz: undefined, Zone: 'z', code: 'a&b=c 中' };
    expect(signedText(fields)).toBe('Zone=z&app_id=1&code=a&b=c 中&method=m');
  });

  it('formats the time in Asia/Shanghai', () => {
    expect(timestampOf(new Date('2025-12-31T16:00:00.999Z'))).toBe('2026-01-01 00:00:00');
    expect(timestampOf(new Date('2026-07-01T00:00:00Z'))).toBe('2026-07-01 08:00:00');
  });
});

describe('memberText', () => {
  it.each<[string, string | undefined]>([
    ['{"r":{"a":1},"sign":"s"}', '{"a":1}'],
    ['{"sign":"s","r":{"a":1}}', '{"a":1}'],
    ['{ "r" : { "a" : "}{\\"" , "b":{"c":[{}]}} }', '{ "a" : "}{\\"" , "b":{"c":[{}]}}'],
    ['{"r":"text"}', undefined],
    ['{"x":1}', undefined],
    ['{"r":{"a":1', undefined],
  ])('extracts from %s the text %s', (json, expected) => {
    expect(memberText(json, 'r')).toBe(expected);
  });
});

/**
 * Keys and responses that Alipay publishes with their signatures, in the tests of its SDK for Node.js
 * (https://github.com/alipay/alipay-sdk-nodejs-all, test/alipay.test.js and test/fixtures).
 */
describe("Alipay's published signatures", () => {
  const GATEWAY_KEY =
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6kdjvWNCT+K3qQQgAyv+8k0+lkrL6+dA+cb9OAX5sZgIxP2ycK51VYxwZgZgHCIWCkB/l/Zqqhye/E6x/nNMSqRkW3FGpP4/hKWByG3Ah8DXRcUaAvd8aCWHcBpgZqjBp3ADPTcHViI10cGe0mn13wGaIZQl6G74CtnY6YQJ/1NkoE+C9Z0VD4xor4oJOZW1/rbc85InBmjU87BWtxmkIQWWVw+Vwd0EL8oDU9GWNZ1Se9sZf4UHxs+goHh3/JhQly3iKqlt/hgFsip78kvdeDwoL8gS6RCUi+Bp6j9Ee5Thd+CC61Ilk7iKiUQMMVn6+kdTGcV2XwUBezH2Go4dlwIDAQAB';
  const ANSWER =
    '{"alipay_offline_material_image_upload_response":{"code":"10000","msg":"Success","image_id":"akGwYYaFTai3r1uB0ww-1QAAACMAAQQD","image_url":"https:\\/\\/oalipay-dl-django.alicdn.com\\/rest\\/1.0\\/image?fileIds=akGwYYaFTai3r1uB0ww-1QAAACMAAQQD&zoom=original"},"sign":"PAb3IueJzGe/pU/fRAPjwIs543Kc/A6D0rz03AMejwr8h8rDc6FhDJDnz3fGLDdQP7ctjtQwwJW3pmdZZcGmp4lb/5YYgtoK6McjnRr4ER/raJLYn1IbpzkowhGow2esA/XeDblIAYUbZjU6ts0IqNncrZrCknDWHpaZXwGuaU7CUBk74xBeMeja7rEEkFlm9MRtiQNYnum/cGVtcDv/aQ8KkPyAD58oJiAzoXv0R6jFhlZtAWv+M0SaOlhTpZh1K6wlP+1Umiqdvqbc1oWdfpv75a+lGTkGHMy8K7/bnAGm20IRsisSv1B5rpJyeGfrVf6tb4MZ7vG4w0rS0c2hfA=="}';
  const NOTICE_KEY =
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAozecNNRnJMRAjSOjVDq6WwVWDgUKp3Rs8d55UmSNz6jTOIzJfSwEHETen0gkRgtfH+he8BnCkJKegLTjLOD44tyIzHpiYi4Hc4mas/HnNhQ9t3a4sJPOI5zWaPX0q1+OucuA664psRrQoCSCBHr55FMC/lqrTHRQ4/+EfbPwuwpD5Q2OumPHLt4OYv9YuE5oJ19/1I/cQM4bWle7s4vNVZCHLT+UUXYWX4KhSa8NcvyU9+9wjRZVUz6yvLbAcxd2KUeovF8papVO6Tw9tE2ILxiW0lPTZDCgZ1kDKi5m5k3W0S1w32qEmlxXT//4QFN5Nj7YRmxOc260ts4dfKKQRwIDAQAB';
  /** A notice does not sign `sign_type`. */
  const NOTICE = {
    version: '1.0',
    trade_status: 'TRADE_SUCCESS',
    trade_no: '2019052322001426431037869358',
    total_amount: '0.01',
    subject: 'tpxy2222896485',
    seller_id: '2088331578818800',
    seller_email: 'myapp@alitest.com',
    receipt_amount: '0.01',
    point_amount: '0.00',
    out_trade_no: 'tpxy23962362669658',
    notify_type: 'trade_status_sync',
    notify_time: '2019-05-23 14:17:14',
    notify_id: '2019052300222141714026431019971405',
    invoice_amount: '0.01',
    gmt_payment: '2019-05-23 14:17:13',
    gmt_create: '2019-05-23 14:13:56',
    fund_bill_list: '[{"amount":"0.01","fundChannel":"PCREDIT"}]',
    charset: 'utf-8',
    buyer_pay_amount: '0.01',
    buyer_logon_id: '152****6706',
    buyer_id: '2088512613526436',
    auth_app_id: '2018121762595097',
    app_id: '2018121762595097',
  };
  const NOTICE_SIGN =
    'T946S2qyNFAXLhAaRgNMmatxH6SO3MyWYFnTamQOgW1iAcheL/Zz+VoizwvEc6mTEwYewvvKS1wNkMQ1oEajMUHv9+cXQ9IFvU/qKS9Ktvw5xHvCaK0fj7LsVcQ7VxfyT3kSvXUDfKDP4cHSPuSZKwM2ybkzr53bIH9OUTpTQd2d3J0rbdf76OoUt+XF9vwqj7OVE7AGjH2HPWp842DgL/YVy4qeA9N2uFKRevT3YUskjaRxuI/E66reNjTMFhbjEqGLKvMcDD4BaQXnibq9ojAj60589fBwzKk3yWsVQmqGfksMQoheVMtZ3lAw4o2ty3TFngbVFFLwgx8FDpBZ9Q==';

  it('cover the exact text of a response', () => {
    const { sign, ...rest } = JSON.parse(ANSWER) as { sign: string } & Record<string, unknown>;
    const [name = ''] = Object.keys(rest);
    expect(verifyRsaSha256(memberText(ANSWER, name) ?? '', sign, GATEWAY_KEY)).toBe(true);
    // Another serialization of the same object does not verify.
    expect(verifyRsaSha256(JSON.stringify(rest[name]), sign, GATEWAY_KEY)).toBe(false);
  });

  it('cover parameters sorted by name', () => {
    expect(verifyRsaSha256(signedText(NOTICE), NOTICE_SIGN, NOTICE_KEY)).toBe(true);
    expect(verifyRsaSha256(signedText({ ...NOTICE, total_amount: '0.02' }), NOTICE_SIGN, NOTICE_KEY)).toBe(false);
    const unsorted = Object.entries(NOTICE).map(([name, value]) => `${name}=${value}`);
    expect(verifyRsaSha256(unsorted.join('&'), NOTICE_SIGN, NOTICE_KEY)).toBe(false);
  });
});
