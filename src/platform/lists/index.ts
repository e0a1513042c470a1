/**
 * Conventions for lists.
 *
 * By page: the query DTO extends `PageQueryDto`, `pageOf(query)` returns `limit` and `offset`, and the response is
 * `listByPage(page, items, total)` of a class such as `class RolePageDto extends PageOf(RoleDto) {}`.
 *
 * By cursor: the query DTO extends `CursorQueryDto`, or `PageOrCursorQueryDto` for both (see `windowOf`).
 * `CursorsService.read(list, query)` returns the start position; fetch `limit` rows and pass them to
 * `CursorsService.answer`. The response class is one such as `class AuditListDto extends CursorPageOf(AuditEventDto)
 * {}`.
 */
export * from './cursors.service';
export * from './event-log.repository';
export * from './count-estimate.repository';
export * from './page';
export * from './page-request';
