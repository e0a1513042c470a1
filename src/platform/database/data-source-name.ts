/** The name of the service's own data source: that of a host is another, also where it is unnamed. */
export const CASTELLAN = 'castellan';
