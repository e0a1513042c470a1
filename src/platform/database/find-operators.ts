import { FindOperator, Raw } from 'typeorm';

/** Matches times after `now()` of the database, on which all instances agree. */
export const inFuture = (): FindOperator<Date> => Raw((column) => `${column} > now()`) as FindOperator<Date>;
