import { acs3Headers, canonicalQuery } from './acs3-signature';
import { tc3Headers } from './tc3-signature';

describe('acs3Headers for Alibaba Cloud', () => {
  it('matches the example that the vendor publishes', () => {
    const headers = acs3Headers(
      {
        method: 'POST',
        host: 'ecs.cn-shanghai.aliyuncs.com',
        action: 'RunInstances',
        version: '2014-05-26',
        query: { ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd', RegionId: 'cn-shanghai' },
        body: '',
        date: new Date('2023-10-26T10:22:32Z'),
        nonce: '3156853299f313e23d1673dc12e1703d',
      },
      { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' },
    );
    expect(headers['authorization']).toBe(
      'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;' +
        'x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
    );
  });

  it('encodes the query as RFC 3986 requires', () => {
    expect(canonicalQuery({ b: "a b*~'()!", a: '{"code":"1"}', A: '云' })).toBe(
      'A=%E4%BA%91&a=%7B%22code%22%3A%221%22%7D&b=a%20b%2A~%27%28%29%21',
    );
  });
});

describe('tc3Headers for Tencent Cloud', () => {
  // The vendor's example shows the key as asterisks and signs with exactly these. It was published with two different
  // numbers of asterisks.
  it.each([
    ['*'.repeat(32), '10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f'],
    [`Gu5t9xGARNpq86cd98joQYCN3${'*'.repeat(7)}`, 'be4f67d323c78ab9acb7395e43c0dbcf822a9cfac32fea2449a7bc7726b770a3'],
  ])('matches the example that the vendor publishes for %s', (secret, signature) => {
    const headers = tc3Headers(
      {
        host: 'cvm.tencentcloudapi.com',
        service: 'cvm',
        action: 'DescribeInstances',
        version: '2017-03-12',
        region: 'ap-guangzhou',
        body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
        date: new Date(1_551_113_065_000),
      },
      { id: 'AKIDexample', secret },
    );
    expect(headers['authorization']).toBe(
      'TC3-HMAC-SHA256 Credential=AKIDexample/2019-02-25/cvm/tc3_request, ' +
        `SignedHeaders=content-type;host;x-tc-action, Signature=${signature}`,
    );
  });
});
