import { type LimitChange, stepText } from '@/lib/domain/limit-change'
import { limitText, limitWords } from '@/lib/domain/limit-words'

/** Before and after, limit by limit, with the step in words. */
export const ChangeTable = ({ changes }: { changes: readonly LimitChange[] }) => (
  <table className="w-full text-sm">
    <caption className="pb-1 text-left font-medium">What would change</caption>
    <thead className="text-ink-3 text-xs">
      <tr>
        <th scope="col" className="text-left font-medium">
          Limit
        </th>
        <th scope="col" className="pl-2 text-right font-medium">
          Now
        </th>
        <th scope="col" className="pl-2 text-right font-medium">
          Asked
        </th>
        <th scope="col" className="pl-3 text-left font-medium max-sm:hidden">
          Step
        </th>
      </tr>
    </thead>
    <tbody>
      {changes.map((change) => (
        <tr key={change.name} className="border-line border-t align-baseline">
          <th scope="row" className="py-1 text-left font-normal text-ink-2">
            {limitWords[change.name].label}
          </th>
          <td className="py-1 pl-2 text-right tabular-nums">{limitText(change.name, change.from)}</td>
          <td className="py-1 pl-2 text-right font-medium tabular-nums">{limitText(change.name, change.to)}</td>
          <td className="py-1 pl-3 text-ink-2 max-sm:hidden">{stepText(change)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
