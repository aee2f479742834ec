import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

/**
 * `narrow`: position of the cell when rows become cards. Undefined: hidden in cards. A column is as
 * wide as its texts if there is room. Give a width to a column whose texts change or arrive late:
 * otherwise the other columns would move.
 */
export type Column<Row> = {
  id: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'end'
  sorted?: 'asc' | 'desc' | null
  narrow?: 'title' | 'figure' | 'line' | 'note'
  className?: string
}

type DataTableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Id of the row that is selected by keyboard. */
  current?: string | null
  open?: string | null
  /** Ids of rows that are still shown but no longer in the list. Their text is gray. */
  left?: ReadonlySet<string>
}

/** The grid moves cells only visually: screen readers read them in the order of the columns. */
const cardPositionClassesByCell = {
  title: '@max-[44rem]:col-start-1 @max-[44rem]:row-start-1',
  figure: '@max-[44rem]:col-start-2 @max-[44rem]:row-start-1 @max-[44rem]:text-right',
  line: '@max-[44rem]:col-start-1 @max-[44rem]:row-start-2',
  note: '@max-[44rem]:col-start-2 @max-[44rem]:row-start-2 @max-[44rem]:text-right',
}

const getCellClasses = (column: Pick<Column<never>, 'align' | 'narrow' | 'className'>) =>
  cn(
    'max-w-80 overflow-hidden whitespace-nowrap px-2 py-1 first:pl-4 last:pr-4 lg:first:pl-6 lg:last:pr-6',
    column.align === 'end' && 'text-right',
    column.narrow
      ? cn(
          '@max-[44rem]:block @max-[44rem]:min-w-0 @max-[44rem]:p-0!',
          cardPositionClassesByCell[column.narrow],
        )
      : '@max-[44rem]:hidden',
    column.className,
  )

const rowClasses = cn(
  'group relative h-row border-line border-b hover:bg-sunken data-open:bg-selected data-left:**:text-ink-3',
  'data-current:shadow-[inset_3px_0_0_var(--accent)] forced-colors:data-current:outline',
  '@max-[44rem]:grid @max-[44rem]:h-auto @max-[44rem]:grid-cols-[minmax(0,1fr)_auto] @max-[44rem]:gap-x-3 @max-[44rem]:px-4 @max-[44rem]:py-2 lg:@max-[44rem]:px-6',
)

/** Explicit, because browsers drop a table's implicit roles if CSS changes its `display`. */
const tableRoleProps = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  cell: { role: 'cell' },
  head: { role: 'columnheader' },
} as const

/**
 * In a container narrower than 44rem, rows become cards. A row opens through the link in it, not
 * through a click handler.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowId,
  current,
  open,
  left,
}: DataTableProps<Row>) {
  return (
    <table {...tableRoleProps.table} className="w-full border-collapse text-sm @max-[44rem]:block">
      <caption className="sr-only">{caption}</caption>
      <thead {...tableRoleProps.group} className="sticky top-0 z-10 bg-bg @max-[44rem]:hidden">
        <tr {...tableRoleProps.row}>
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} />
          ))}
        </tr>
      </thead>
      <tbody {...tableRoleProps.group} className="@max-[44rem]:block">
        {rows.map((row) => (
          <tr
            key={rowId(row)}
            {...tableRoleProps.row}
            data-row={rowId(row)}
            data-current={rowId(row) === current || undefined}
            data-open={rowId(row) === open || undefined}
            data-left={left?.has(rowId(row)) || undefined}
            className={rowClasses}
          >
            {columns.map((column) => (
              <td key={column.id} {...tableRoleProps.cell} className={getCellClasses(column)}>
                <div className="cell">{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const ariaSortByOrder = { asc: 'ascending', desc: 'descending' } as const

const HeaderCell = <Row,>({ column }: { column: Column<Row> }) => (
  <th
    {...tableRoleProps.head}
    scope="col"
    aria-sort={
      column.sorted === undefined
        ? undefined
        : column.sorted === null
          ? 'none'
          : ariaSortByOrder[column.sorted]
    }
    className={cn(
      'h-head whitespace-nowrap truncate border-line border-b px-2 text-left font-medium text-ink-3 text-xs first:pl-4 last:pr-4 lg:first:pl-6 lg:last:pr-6',
      column.align === 'end' && 'text-right',
      column.className,
    )}
  >
    {column.header}
  </th>
)
