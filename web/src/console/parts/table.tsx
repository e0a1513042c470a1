import { Table, Text } from '@mantine/core';
import type { Key, ReactNode } from 'react';
import { ShowMore } from './show-more';
import type { More } from './use-cursor-pages';

export interface Column<T> {
  readonly name: string;
  readonly show: (row: T) => ReactNode;
  /** Keeps short texts such as times on one line. */
  readonly unbroken?: boolean;
}

interface DataTableProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => Key;
  /** Text for an empty table. */
  readonly empty: string;
  /** Width in px below which the table scrolls horizontally. */
  readonly minWidth?: number;
  readonly more?: More | undefined;
}

export function DataTable<T>(props: DataTableProps<T>): ReactNode {
  const { label, columns, rows, rowKey, empty, minWidth = 640, more } = props;
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <>
      <div className="scrolls-x" tabIndex={0} role="region" aria-label={label}>
        <Table striped miw={minWidth}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ name }) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={rowKey(row)}>
                {columns.map(({ name, show, unbroken = false }) => (
                  <Table.Td key={name} className={unbroken ? 'unbroken' : 'cell'}>
                    {show(row)}
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
