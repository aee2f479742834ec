import { cn } from '@/components/ui/cn'

/** The table behind a chart as plain data: the first column names, the others are figures. */
export type Figures = { head: readonly string[]; rows: readonly { key: string; cells: readonly (string | number)[] }[] }

export const FigureTable = ({ caption, figures: { head, rows } }: { caption: string; figures: Figures }) => (
  <table className="w-full border-collapse text-xs tabular-nums">
    <caption className="sr-only">{caption}</caption>
    <thead className="sticky top-0 bg-surface">
      <tr>
        {head.map((name, at) => (
          <th
            key={name}
            scope="col"
            className={cn('border-line border-b px-2 py-1.5 align-bottom font-medium text-ink-3', at === 0 ? 'text-left' : 'text-right')}
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
