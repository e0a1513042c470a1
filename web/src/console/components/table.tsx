import { Table, Text } from '@mantine/core';
import type { Key, ReactNode } from 'react';
import { ShowMore } from './show-more';
import type { More } from '../hooks/use-cursor-pages';

export interface Column<T> {
  readonly name: string;
  readonly show: (row: T) => ReactNode;
  /** Keeps short texts such as times on one line. */
  readonly unbroken?: boolean;
  /** Shown in place of the name in the head of the table. */
  readonly head?: ReactNode;
  /** The order of the rows by this column, if the user can sort by it. */
  readonly sorted?: 'ascending' | 'descending' | 'none' | undefined;
}

export interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => Key;
  /** Text for an empty table. */
  readonly empty: string;
  /** Width in px below which the table scrolls horizontally. On a phone it has cards instead. */
  readonly minWidth?: number;
  readonly more?: More | undefined;
}

export function DataTable<T>(props: DataTableProps<T>): ReactNode {
  const { label, columns, rows, rowKey, empty, minWidth = 640, more } = props;
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <>
      <div className="scrolls-x" tabIndex={0} role="region" aria-label={label}>
        {/* The roles stay when the style sheet stacks the cells of a row. */}
        <Table striped miw={minWidth} className="stacks" role="table">
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map(({ name, head = name, sorted }) => (
                <Table.Th key={name} role="columnheader" aria-sort={sorted}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <Table.Tr key={rowKey(row)} role="row">
                {columns.map(({ name, show, unbroken = false }) => (
                  <Table.Td key={name} role="cell" data-column={name} className={unbroken ? 'unbroken' : 'cell'}>
                    <div>{show(row)}</div>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <ShowMore more={more} align="center" />
    </>
  );
}
