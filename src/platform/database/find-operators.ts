import { FindOperator, Raw } from 'typeorm';

/** A moment that lies ahead by the database's clock, by which all instances agree. */
export const inFuture = (): FindOperator<Date> => Raw((column) => `${column} > now()`) as FindOperator<Date>;
