import { Notice } from '@/components/ui/notice'
import { type LimitSet, limitText, limitWords } from '@/lib/domain/limit-words'
import { limitNames } from '@/lib/operations/enumerations'

/** The limits moved while the form was open: what they were, what they are, what is typed. Nothing typed is lost. */
export function LimitsMoved({ base, now, asked }: { base: LimitSet; now: LimitSet; asked: LimitSet }) {
  const moved = limitNames.filter((name) => base[name] !== now[name])
  if (moved.length === 0) return null
  return (
    <Notice tone="held" role="status" title="The limits changed while this form was open">
      <ul className="list-disc pl-4">
        {moved.map((name) => (
          <li key={name}>
            {limitWords[name].label}: was {limitText(name, base[name])}, is {limitText(name, now[name])} now
            {asked[name] !== undefined && `, yours ${limitText(name, asked[name])}`}
          </li>
        ))}
      </ul>
      <p>What you typed is kept and stands against the limits as they are now.</p>
    </Notice>
  )
}
