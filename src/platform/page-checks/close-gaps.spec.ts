import { closeGaps } from './close-gaps';

describe('closeGaps', () => {
  it.each([
    ['使用 飞书 登录', '飞书', '使用飞书登录'],
    ['使用 GitHub 登录', 'GitHub', '使用 GitHub 登录'],
    ['使用 飞书 Lark 登录', '飞书 Lark', '使用飞书 Lark 登录'],
    ['使用 QQ 邮箱 登录', 'QQ 邮箱', '使用 QQ 邮箱登录'],
    ['您的 张 三 账号', '张 三', '您的张 三账号'],
    ['加入 示例，示例 成员', '示例', '加入示例，示例成员'],
    ['Continue with 飞书 today', '飞书', 'Continue with 飞书 today'],
    ['飞书 账号：张三', '飞书', '飞书账号：张三'],
    ['使用 $& 登录', '$&', '使用 $& 登录'],
    ['使用 登录', '', '使用 登录'],
  ])('writes %j with the value %j as %j', (filled, value, written) => {
    expect(closeGaps(filled, [value])).toBe(written);
  });

  it('closes the gaps of each value, and leaves numbers and lists alone', () => {
    expect(closeGaps('在 飞书 上有 3 个 账号', ['飞书', 3, ['账号'], undefined])).toBe('在飞书上有 3 个 账号');
  });
});
