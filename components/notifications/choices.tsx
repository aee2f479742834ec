'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { useOperation } from '@/lib/client/query/writes'
import { eventLabels } from '@/lib/features/notifications/labels'
import {
  type NotificationChoice,
  type NotificationChoices,
  type NotificationEvent,
  notificationEvents,
} from '@/lib/operations/notifications'

const channelLabels = { app: 'In Paydesk', mail: 'Email' } as const

type ChoicesProps = { choices: NotificationChoices; email: string; canMail: boolean }

/** The person's notification channels for each event. Each change is saved at once. */
export function NotificationChoicesPanel({
  choices: initialChoices,
  email,
  canMail,
}: ChoicesProps) {
  const context = usePageContext()
  const router = useRouter()
  const [savedChoices, setSavedChoices] = useState(initialChoices)
  const saveMutation = useOperation<'notifications.choose'>(context)
  const { event: pendingEvent, ...choice } = saveMutation.variables?.input ?? {}
  const shownChoices =
    saveMutation.isPending && pendingEvent
      ? { ...savedChoices, [pendingEvent]: choice }
      : savedChoices
  const changeChoice = (event: NotificationEvent, next: NotificationChoice) =>
    saveMutation.mutate(
      { operation: 'notifications.choose', input: { event, ...next } },
      {
        onSuccess: ({ data }) => {
          setSavedChoices(data)
          router.refresh()
        },
      },
    )
  return (
    <Panel title="Notification settings">
      {saveMutation.error && (
        <ErrorNotice
          urgent
          what="Your choice was not kept"
          error={saveMutation.error.toWire()}
          requestId={saveMutation.error.requestId}
        />
      )}
      <p className="mb-2 text-ink-3 text-xs">
        {canMail
          ? `Mails go to ${email}, each thing once.`
          : 'This installation has no mail server: no email is sent until SMTP_URL is set.'}
      </p>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-line border-b text-left text-ink-3 text-xs">
            <th className="py-1.5 pr-3 font-medium">Event</th>
            {Object.values(channelLabels).map((name) => (
              <th key={name} className="w-20 py-1.5 text-center font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notificationEvents.map((event) => (
            <tr key={event} className="border-line border-b last:border-b-0">
              <th scope="row" className="grid py-1.5 pr-3 text-left font-normal">
                <span className="font-medium">{eventLabels[event].title}</span>
                <span className="text-ink-3 text-xs">{eventLabels[event].who}</span>
              </th>
              {(Object.keys(channelLabels) as (keyof typeof channelLabels)[]).map((place) => (
                <td key={place} className="text-center align-middle">
                  {event === 'digest' && place === 'app' ? (
                    <span className="text-ink-3">–</span>
                  ) : (
                    <label className="inline-flex min-h-8 min-w-11 cursor-pointer items-center justify-center">
                      <input
                        type="checkbox"
                        className="size-4 accent-accent"
                        checked={shownChoices[event][place]}
                        disabled={saveMutation.isPending}
                        onChange={({ target }) =>
                          changeChoice(event, { ...shownChoices[event], [place]: target.checked })
                        }
                      />
                      <span className="sr-only">{`${eventLabels[event].title}: ${channelLabels[place]}`}</span>
                    </label>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
