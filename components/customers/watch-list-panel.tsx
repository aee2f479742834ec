import { Panel } from '@/components/kits/layout/panel'
import { CodeList } from '@/components/kits/record/code-list'
import { StatusBadge } from '@/components/ui/status-badge'
import { verdictWords } from '@/lib/domain/verdict-words'
import { correlationWords } from '@/lib/domain/verification-score'
import type { IdentityDetails } from '@/lib/operations/customer-review.schema'

/** Sanctions and watch lists: which list, by which fields, how sure, and where it can be read. */
export function WatchListPanel({ details }: { details: IdentityDetails }) {
  const { watch_list: list, messages } = details
  if (!list) return null
  const verdict = verdictWords(list.decision)
  const named = list.matched.filter((name) => !list.matches.some((match) => match.list_name === name))
  return (
    <Panel title="Watch lists" aside={<StatusBadge tone={verdict.tone}>{verdict.label}</StatusBadge>}>
      {list.matches.length === 0 && named.length === 0 && <p className="text-ink-2">No list has an entry that matches.</p>}
      <ul className="grid gap-3">
        {list.matches.map((match, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list may have several entries under one name, and their order is the service's
          <MatchRow key={`${match.list_name} ${at}`} match={match} />
        ))}
        {named.map((name) => (
          <li key={name} className="font-medium">
            <bdi>{name}</bdi> <span className="font-normal text-ink-3 text-xs">no details sent</span>
          </li>
        ))}
      </ul>
      <CodeList codes={list.codes} messages={messages} />
    </Panel>
  )
}

type Match = NonNullable<IdentityDetails['watch_list']>['matches'][number]

function MatchRow({ match }: { match: Match }) {
  const alike = match.correlation ? correlationWords(match.correlation) : null
  return (
    <li className="grid gap-0.5">
      <div className="flex flex-wrap items-center gap-2">
        <bdi className="font-medium">{match.list_name ?? 'A list without a name'}</bdi>
        {/* A likely match with a sanctions list is no good news, so the words stand without the colours they have elsewhere. */}
        {alike && <StatusBadge tone="held">{alike.label}</StatusBadge>}
      </div>
      <p className="text-ink-2 text-sm">
        Matched by {match.match_fields.length > 0 ? match.match_fields.join(', ').replaceAll('_', ' ') : 'fields the service does not name'}
        .
      </p>
      {match.urls.map((url) => (
        <a
          key={url}
          href={url}
          target="_blank"
          rel="noreferrer noopener"
          className="w-fit max-w-full break-all text-accent text-sm hover:underline"
        >
          {url}
          <span className="sr-only"> (opens another site)</span>
        </a>
      ))}
    </li>
  )
}
