'use client'

import Link from 'next/link'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import type { WorkGroup as Group } from '@/lib/domain/work'
import { GroupFrame } from './group-frame'
import { WorkRowLine } from './work-row'

type WorkGroupProps = { group: Group; title: string; mine: boolean }

const figure = (group: Group) => `${group.total.toLocaleString('en-US')}${group.atLeast ? '+' : ''}`

/**
 * One queue with its first rows: how many wait, since when, and the way to all of them. Only those who may act are called to. It is drawn from
 * plain data in the browser's half, so that its rows travel once and not as elements besides.
 */
export function WorkGroup({ group, title, mine }: WorkGroupProps) {
  const whole = group.total > group.rows.length ? `all ${figure(group)}` : 'the list'
  return (
    <GroupFrame
      id={group.id}
      title={title}
      count={
        <span className="rounded-full bg-ink/6 px-1.5 text-2xs text-ink-2 tabular-nums">
          {figure(group)}
          <span className="sr-only"> waiting</span>
        </span>
      }
      aside={
        <>
          {group.oldest && (
            <span className="text-ink-3 text-xs">
              oldest <RelativeTime at={group.oldest} show="ago" />
            </span>
          )}
          <Link
            href={group.href}
            prefetch={false}
            className="inline-block min-h-6 rounded-sm text-accent text-xs leading-6 hover:underline"
          >
            {mine ? `Work through ${whole}` : `See ${whole}`}
            <span className="sr-only">in {title}</span>
          </Link>
        </>
      }
    >
      <ul className="grid">
        {group.rows.map((row) => (
          <WorkRowLine key={row.key} row={row} />
        ))}
      </ul>
      {group.note && <p className="border-line border-t px-3 py-1.5 text-ink-3 text-xs">{group.note}</p>}
    </GroupFrame>
  )
}
