import type { AccountChange, SimulatedStage } from '@/lib/domain/account-rules'

/** What the last simulation changed, before and after. */
export function AccountDiff({ stage, changes }: { stage: SimulatedStage; changes: readonly AccountChange[] }) {
  if (changes.length === 0) return <p role="status">Simulating {stage} changed neither status nor capabilities.</p>
  return (
    <table className="w-full text-sm">
      <caption className="pb-1 text-left text-ink-3 text-xs">What simulating {stage} changed</caption>
      <thead className="text-ink-3 text-xs">
        <tr>
          {['What', 'Before', 'After'].map((head) => (
            <th key={head} scope="col" className="pr-3 pb-1 text-left font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.what} className="border-line border-t align-top">
            <th scope="row" className="py-1 pr-3 text-left font-normal text-ink-2">
              {change.what}
            </th>
            <td className="break-words py-1 pr-3 text-ink-2">{change.before || 'nothing'}</td>
            <td className="break-words py-1 font-medium">{change.after || 'nothing'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
