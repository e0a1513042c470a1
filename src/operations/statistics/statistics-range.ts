export const statisticsRanges = ['day', 'week', 'month', 'quarter'] as const;
export type StatisticsRange = (typeof statisticsRanges)[number];

export const rangeDays: Readonly<Record<StatisticsRange, number>> = { day: 1, week: 7, month: 30, quarter: 90 };
