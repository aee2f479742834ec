'use client'

import { type ReactNode, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'

/** The table behind a chart. The first column contains the names, the others the figures. */
type FigureTableData = {
  head: readonly string[]
  rows: readonly { key: string; cells: readonly (string | number)[] }[]
}

const FigureTable = ({
  caption,
  figures: { head, rows },
}: {
  caption: string
  figures: FigureTableData
}) => (
  <table className="w-full border-collapse text-xs tabular-nums">
    <caption className="sr-only">{caption}</caption>
    <thead className="sticky top-0 bg-surface">
      <tr>
        {head.map((name, at) => (
          <th
            key={name}
            scope="col"
            className={cn(
              'border-line border-b px-2 py-1.5 align-bottom font-medium text-ink-3',
              at === 0 ? 'text-left' : 'text-right',
            )}
          >
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells: [first, ...others] }) => (
        <tr key={key} className="border-line border-b last:border-b-0">
          <th scope="row" className="px-2 py-1.5 text-left font-normal">
            {first}
          </th>
          {others.map((cell, at) => (
            <td key={head[at + 1]} className="whitespace-nowrap px-2 py-1.5 text-right align-top">
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

type ChartFrameProps = {
  title: string
  aside?: ReactNode
  /** The main figures, in one line above the chart or the table. */
  figures?: ReactNode
  chart: ReactNode
  /**
   * The figures of the chart as a table. The table scrolls within the chart's height, to avoid a
   * layout shift.
   */
  table: FigureTableData
  /** States how the figures are counted, and their source. */
  note: ReactNode
}

/**
 * Shows a chart or, after a press of "As table", the same figures as a table in the same space.
 * Screen readers read the summary of the chart.
 */
export function ChartFrame({ title, aside, figures, chart, table, note }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col rounded border border-line bg-surface"
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1">
        <h2 id={id} className="font-semibold text-sm">
          {title}
        </h2>
        <div className="ml-auto flex items-center gap-2">
          {aside}
          <Button
            size="small"
            variant="quiet"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            As table
            <span className="sr-only">for {title}</span>
          </Button>
        </div>
      </div>
      <div className="p-3 pb-2">
        {figures && <div className="min-h-7">{figures}</div>}
        <div className="h-56">
          {asTable ? (
            <section
              aria-label={`${title}, table`}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
              tabIndex={0}
              className="h-full overflow-y-auto rounded-sm border border-line"
            >
              <FigureTable caption={title} figures={table} />
            </section>
          ) : (
            chart
          )}
        </div>
      </div>
      <div className="mt-auto px-3 pb-3 text-ink-3 text-xs">{note}</div>
    </section>
  )
}
