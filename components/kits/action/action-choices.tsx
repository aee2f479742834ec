'use client'

import { use } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { PendingRecordContext } from '@/components/kits/unreadable/unreadable-fields'
import { Button, type ButtonProps, Kbd } from '@/components/ui/button'
import type { WriteId } from '@/lib/operations/service-operations'
import { hasTypedDraft, toDraftName } from './write-draft'

/**
 * An action that a record offers. `name` distinguishes two choices of the same operation, such as
 * verify and reject.
 */
export type ActionChoice<N extends string = WriteId> = {
  operation: WriteId
  name?: N
  /** The button's label. It ends with an ellipsis if the button opens a form. */
  opens: string
  /** The title shown after success. The default is the operation's own title. */
  done?: string
  key?: string
  variant?: ButtonProps['variant']
  /** The reason the action is unavailable; null if it is available. */
  disabledReason: string | null
  /** Aligns the button to the end of the action bar. */
  aside?: boolean
  /** Handles the click. If undefined, a click opens the form of the action in this area. */
  press?: () => void
}

export const getChoiceName = <N extends string>({ name, operation }: ActionChoice<N>): N =>
  (name ?? operation) as N

export const getDraftTarget = (id: string, { name }: ActionChoice<string>): string =>
  name ? `${id}/${name}` : id

export const getDraftName = (id: string, choice: ActionChoice<string>): string =>
  toDraftName(choice.operation, getDraftTarget(id, choice))

export function useChoiceShortcuts<N extends string>(
  group: string,
  choices: readonly ActionChoice<N>[],
  onChoose: (choice: ActionChoice<N>) => void,
) {
  const shortcutKeys = choices.flatMap(({ key }) => (key ? [key] : []))
  const shortcutLabels = Object.fromEntries(
    choices.flatMap(({ key, opens, disabledReason }) =>
      key && disabledReason === null ? [[key, opens.replace('…', '')]] : [],
    ),
  )
  const handleShortcut = (event: KeyboardEvent) => {
    const choice = choices.find(({ key }) => key === event.key)
    if (choice && choice.disabledReason === null) onChoose(choice)
    event.preventDefault()
  }
  useShortcut(shortcutKeys, handleShortcut, true, { group, keys: shortcutLabels })
}

/**
 * The action buttons. An unavailable action has a disabled button and is not hidden. The reason is
 * shown, also to screen readers.
 */
export function ActionButtons<N extends string>({
  id,
  choices,
  onChoose,
}: {
  id: string
  choices: readonly ActionChoice<N>[]
  onChoose: (choice: ActionChoice<N>) => void
}) {
  // While the service's response is pending, the reason for disabled buttons is not shown, because
  // it disappears when the response arrives.
  const isResponsePending = use(PendingRecordContext)?.isAsking
  const [first] = choices
  return (
    <div className="flex flex-wrap items-center gap-2">
      {choices.map((choice) => (
        <span
          key={getChoiceName(choice)}
          data-choice={getChoiceName(choice)}
          className={choice.aside ? 'sm:ml-auto' : undefined}
        >
          <Button
            variant={choice.variant ?? 'secondary'}
            disabledReason={choice.disabledReason}
            onClick={() => onChoose(choice)}
          >
            {choice.opens}
            {hasTypedDraft(getDraftName(id, choice)) && (
              <span className="font-normal text-xs">draft</span>
            )}
            {choice.key && choice.disabledReason === null && (
              <Kbd className="max-sm:hidden">{choice.key}</Kbd>
            )}
          </Button>
        </span>
      ))}
      {first?.disabledReason && !isResponsePending && (
        <p className="w-full text-ink-3 text-xs">
          {first.opens.replace(/…$/, '')} unavailable: {first.disabledReason}
        </p>
      )}
    </div>
  )
}
