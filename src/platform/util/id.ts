const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether it is an id of the service: a UUID without capitals. */
export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
