import { Panel } from '@/components/kits/layout/panel'
import { cn } from '@/components/ui/cn'
import { type Tone, toneText } from '@/components/ui/tone'
import { ToneShape } from '@/components/ui/tone-shape'
import { type RelationshipTick, relationshipTicks } from '@/lib/domain/representative-rules'
import type { Representative } from '@/lib/operations/representatives.schema'

const lookOf = (on: boolean | undefined): { tone: Tone; word: string } => {
  if (on === undefined) return { tone: 'unknown', word: 'Unknown' }
  return on ? { tone: 'good', word: 'Yes' } : { tone: 'neutral', word: 'No' }
}

/** What somebody is to the account, tick by tick, with what each means. */
export const RelationshipPanel = ({ person }: { person: Pick<Representative, 'relationship'> }) => (
  <Panel title="Relationship to the account">
    <ul className="grid">
      {relationshipTicks(person).map((tick) => (
        <Tick key={tick.id} {...tick} />
      ))}
    </ul>
  </Panel>
)

function Tick({ label, meaning, on }: RelationshipTick) {
  const { tone, word } = lookOf(on)
  return (
    <li className="grid min-h-7 grid-cols-[1rem_minmax(7rem,auto)_minmax(0,1fr)] items-baseline gap-x-2 border-line border-b py-1 last:border-b-0">
      <ToneShape tone={tone} className={cn('size-4 self-center', toneText[tone])} />
      <span className={on ? 'font-medium' : 'text-ink-3'}>
        {label}
        <span className="sr-only">: {word}</span>
      </span>
      <span className="text-ink-3 text-xs">{meaning}</span>
    </li>
  )
}
