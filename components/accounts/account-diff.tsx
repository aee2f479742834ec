import { accountChanges } from '@/lib/domain/account-rules'
import { limitText, limitTypes, typeWords } from '@/lib/domain/limit-words'
import type { Account } from '@/lib/operations/accounts.schema'
import type { Played } from './use-play'

/** What the last simulation changed, before and after, and what holds from now on. */
export function AccountDiff({ played: { name, before, after } }: { played: Played }) {
  const changes = accountChanges(before, after)
  if (changes.length === 0) return <p role="status">Status and capabilities are after {name} as they were before.</p>
  return (
    <div className="grid gap-2 border-line border-t pt-2">
      <table className="w-full text-sm">
        <caption className="pb-1 text-left font-medium">What {name} changed</caption>
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
              <td className="wrap-anywhere py-1 pr-3 text-ink-2">{change.before || 'nothing'}</td>
              <td className="wrap-anywhere py-1 font-medium">{change.after || 'nothing'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {after.status === 'active' && <p className="text-ink-2">{limitLine(after)}</p>}
    </div>
  )
}

/** From which amount on a payment is held, for whoever wants to see that. */
const limitLine = ({ settings }: Account) =>
  `Limits in force: ${limitTypes
    .map((type) => `one ${typeWords[type].one} up to ${limitText('max_amount', settings?.[type]?.max_amount)}`)
    .join(', ')}.`
