/** Name of our data source in @nestjs/typeorm, so that it never collides with the data source of a host. */
export const CASTELLAN = 'castellan';
