/*
 * Lists, the same everywhere.
 *
 * By page: the query's DTO extends `PageQueryDto`; `pageOf(query)` gives `limit` and `offset`; the answer is
 * `listByPage(page, items, total)`, its class `class RolePageDto extends PageOf(RoleDto) {}`. `CountEstimateRepository.count(sql)`
 * counts exactly up to 10,000 and estimates from there, which the answer then says (`total_is_estimate`).
 *
 * By cursor: the query's DTO extends `CursorQueryDto`, or `PageOrCursorQueryDto` where both are offered (a cursor, even
 * an empty one, then stands for the cursor form; `windowOf(query)` tells the two apart). `CursorsService.read(list, query)`
 * gives the position to go on after; fetch `limit` rows, one more than a page holds, and `CursorsService.answer` does the
 * rest; its class is `class AuditListDto extends CursorPageOf(AuditEventDto) {}`. `list` names the list and its filters,
 * so that a cursor does not continue another search; a position is the texts of the columns the list is ordered by.
 * Tables of what happened, newest first, are read by `EventLogRepository.find`, with `placeOf` as the position.
 */
export * from './cursors.service';
export * from './event-log.repository';
export * from './count-estimate.repository';
export * from './page';
export * from './page-request';
