import { expectProblem } from '../support/service/expect-problem';
import { encoded, jpeg, png, webp } from '../support/accounts/pictures';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const AVATAR = '/api/auth/me/avatar';
const PICTURE = /^\/api\/avatar\/[A-Za-z0-9_-]{22}\.png$/;

describe('an uploaded avatar', () => {
  let service: TestService;
  let ann: TestClient;
  let names = 0;

  const upload = (picture: Buffer, client = ann): Promise<Answer<{ avatar: string } & Problem>> =>
    client.put(AVATAR, { picture: encoded(picture) });
  const statusOf = async (path: string): Promise<number> => (await service.client().get(path)).status;
  const stored = async (client: TestClient): Promise<number> => {
    const { body } = await client.get<{ id: string }>('/api/auth/me');
    const rows = await service.query('SELECT 1 FROM avatar_picture WHERE user_id = $1', [body.id]);
    return rows.length;
  };

  withService(async (started) => {
    service = started;
  });

  beforeEach(async () => {
    ann = await service.signUp(`pictured_${++names}`);
  });

  it('is the avatar of the user', async () => {
    const { status, body } = await upload(png(256, 256));
    expect(status).toBe(200);
    expect(body.avatar).toMatch(PICTURE);
    expect((await ann.get<{ avatar: string }>('/api/auth/me')).body.avatar).toBe(body.avatar);
  });

  it.each([
    ['image/png', png(2, 2)],
    ['image/jpeg', jpeg(2, 2)],
    ['image/webp', webp(2, 2)],
  ])('is served as %s, unchanged, without a login', async (type, picture) => {
    const { body } = await upload(picture);
    const { headers, rawPayload } = await service.app.inject(body.avatar);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(rawPayload).toEqual(picture);
  });

  it('is served under its own format only', async () => {
    const { body } = await upload(png(2, 2));
    const other = await service.client().get<Problem>(body.avatar.replace('.png', '.jpg'));
    expectProblem(other, 404, 'not_found');
  });

  it('replaces the former one, which is deleted', async () => {
    const { body: first } = await upload(png(1, 1));
    const { body: second } = await upload(png(1, 1));
    expect(second.avatar).not.toBe(first.avatar);
    expect([await statusOf(first.avatar), await statusOf(second.avatar)]).toEqual([404, 200]);
    expect(await stored(ann)).toBe(1);
  });

  it('leaves one picture of several uploaded at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => upload(png(index + 1, 1))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await ann.get<{ avatar: string }>('/api/auth/me');
    expect(await statusOf(body.avatar)).toBe(200);
    expect(await stored(ann)).toBe(1);
  });

  it('is deleted when the user chooses another avatar', async () => {
    const { body } = await upload(png(1, 1));
    await ann.patch('/api/auth/me', { nickname: 'Ann' });
    expect(await statusOf(body.avatar)).toBe(200);
    await ann.patch('/api/auth/me', { avatar: '/api/avatar/drawn.svg' });
    expect(await statusOf(body.avatar)).toBe(404);
  });

  it('stays when the whole profile is sent back', async () => {
    const { body } = await upload(png(1, 1));
    const { status } = await ann.patch('/api/auth/me', { nickname: 'Ann', avatar: body.avatar });
    expect([status, await statusOf(body.avatar)]).toEqual([200, 200]);
  });

  it('cannot be the avatar of another user', async () => {
    const { body } = await upload(png(1, 1));
    const bob = await service.signUp(`other_${names}`);
    const answer = await bob.patch<Problem>('/api/auth/me', { avatar: body.avatar });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'avatar', code: 'avatar' }]);
  });

  it('is deleted when an administrator clears it', async () => {
    const { body } = await upload(png(1, 1));
    const { body: me } = await ann.get<{ id: string }>('/api/auth/me');
    expect((await (await service.admin()).patch(`/api/user/${me.id}`, { avatar: null })).status).toBe(200);
    expect(await statusOf(body.avatar)).toBe(404);
  });

  it('is deleted with the account', async () => {
    const { body } = await upload(png(1, 1));
    expect((await ann.delete('/api/auth/me')).status).toBe(204);
    expect(await statusOf(body.avatar)).toBe(404);
  });

  it('is audited without its content', async () => {
    const picture = png(1, 1);
    const { body } = await upload(picture);
    const rows = await service.query<{ text: string }>(
      `SELECT row_to_json(audit_event)::text AS text FROM audit_event WHERE action = 'user.update' AND after->>'avatar' = $1`,
      [body.avatar],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(encoded(picture).slice(0, 24));
  });

  it.each([
    ['picture_size', png(300, 300)],
    ['picture_format', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('is rejected by the rule %s', async (code, picture) => {
    const answer = await upload(picture);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ field: 'picture', code }]);
    expect(await stored(ann)).toBe(0);
  });

  it('may be as large as the limit says, and no larger', async () => {
    expect((await upload(png(256, 256, 100_000))).status).toBe(200);
    expectProblem(await upload(png(256, 256, 150_000)), 413, 'payload_too_large');
  });

  it('needs a login', async () => {
    expectProblem(await upload(png(1, 1), service.client()), 401, 'unauthenticated');
  });
});
