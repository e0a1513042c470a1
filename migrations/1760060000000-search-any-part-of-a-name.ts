import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The lower case of a text. ASCII letters first, because the lower case of `I` depends on the locale. */
const folded = (text: string): string => `lower(lower(${text} COLLATE "C") COLLATE "default")`;

/** A token names a segment in its high half, so that the tokens of one segment are neighbours in the index. */
const token = (piece: string): string =>
  `(segment::bigint << 32) | (hashtext(${piece} COLLATE "C")::bigint & 4294967295)`;

/**
 * Finds any part of a username, nickname or e-mail. The index holds every pair of adjacent characters and every single
 * character beyond ASCII, by segment. Each text begins after a line break, so its first character makes a pair, too. A
 * search still reads the newest segment first and stops when it has enough results. The functions name no other object,
 * because PostgreSQL maintains indexes with an empty search path.
 */
export class SearchAnyPartOfAName1760060000000 implements MigrationInterface {
  name = 'SearchAnyPartOfAName1760060000000';
  creates = ['user_account_keyword_tokens', 'user_account_search', 'user_account_search_tokens'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION user_account_search_tokens(segment integer, username text, nickname text, email text)
      RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
        SELECT array_agg(${token('piece')})
        FROM (SELECT ${folded("concat(E'\\n', username, E'\\n', nickname, E'\\n', email)")} AS texts) AS source,
          LATERAL (
            SELECT substr(texts, place, 2) FROM generate_series(1, length(texts) - 1) AS place
            UNION ALL
            SELECT letter FROM string_to_table(texts, NULL) AS letter WHERE ascii(letter) > 127
          ) AS pieces (piece)
      $$`);
    await runner.query(`
      CREATE FUNCTION user_account_keyword_tokens(segment integer, keyword text)
      RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT array_agg(${token('piece')})
        FROM (SELECT ${folded('keyword')} AS texts) AS source,
          LATERAL (
            SELECT substr(texts, place, 2) FROM generate_series(1, length(texts) - 1) AS place
            UNION ALL
            SELECT CASE WHEN ascii(texts) > 127 THEN texts ELSE E'\\n' || texts END WHERE length(texts) = 1
          ) AS pieces (piece)
      $$`);
    await runner.query(`
      CREATE INDEX user_account_search ON user_account
      USING gin (user_account_search_tokens(search_segment, username, nickname, email)) WITH (fastupdate = off)`);
    await runner.query('DROP INDEX user_account_search_username');
    await runner.query('DROP INDEX user_account_search_nickname');
    await runner.query('DROP INDEX user_account_search_email');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX user_account_search');
    await runner.query('DROP FUNCTION user_account_search_tokens');
    await runner.query('DROP FUNCTION user_account_keyword_tokens');
    await runner.query(
      `CREATE INDEX user_account_search_username ON user_account (status, search_segment, upper(username))`,
    );
    await runner.query(
      `CREATE INDEX user_account_search_nickname ON user_account (status, search_segment, lower(nickname) text_pattern_ops)`,
    );
    await runner.query(
      `CREATE INDEX user_account_search_email ON user_account (status, search_segment, lower(email) text_pattern_ops)`,
    );
  }
}
