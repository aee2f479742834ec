'use client'

import { use } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { PendingRecordContext } from '@/components/kits/unreadable/unreadable-fields'
import { Button, Kbd } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
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
  /** Cannot be undone: the button has the color of danger. */
  danger?: boolean
  /** The reason the action is unavailable; null if it is available. */
  disabledReason: string | null
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

/** The available choices first, each group in the record's order. */
function sortByAvailability<N extends string>(
  choices: readonly ActionChoice<N>[],
): readonly ActionChoice<N>[] {
  return [
    ...choices.filter(({ disabledReason }) => disabledReason === null),
    ...choices.filter(({ disabledReason }) => disabledReason !== null),
  ]
}

/** Up to this number, a phone shows all buttons in one row. */
const maxChoicesOnPhone = 2

type ActionButtonsProps<N extends string> = {
  id: string
  /** In the order of recommendation. */
  choices: readonly ActionChoice<N>[]
  onChoose: (choice: ActionChoice<N>) => void
  /** On a phone: shows all buttons, and not only the first one and "More". */
  expanded: boolean
  onExpand: (expanded: boolean) => void
}

/**
 * The action buttons: the first available one is primary, unavailable ones are last. An unavailable
 * action has a disabled button and is not hidden. The reason is shown, also to screen readers.
 */
export function ActionButtons<N extends string>(props: ActionButtonsProps<N>) {
  const { id, choices, onChoose, expanded, onExpand } = props
  // While the service's response is pending, the reason for disabled buttons is not shown, because
  // it disappears when the response arrives.
  const isResponsePending = use(PendingRecordContext)?.isAsking
  const [recommended] = choices
  const isFolded = choices.length > maxChoicesOnPhone && !expanded
  return (
    <div className="flex flex-[1_1_16rem] flex-wrap items-center gap-2">
      {sortByAvailability(choices).map((choice, at) => (
        <span
          key={getChoiceName(choice)}
          data-choice={getChoiceName(choice)}
          className={cn(isFolded && at > 0 && 'max-sm:hidden')}
        >
          <ChoiceButton id={id} choice={choice} isFirst={at === 0} onChoose={onChoose} />
        </span>
      ))}
      {choices.length > maxChoicesOnPhone && (
        <Button
          variant="quiet"
          aria-expanded={expanded}
          className="sm:hidden"
          onClick={() => onExpand(!expanded)}
        >
          {expanded ? 'Less' : 'More'}
        </Button>
      )}
      {recommended?.disabledReason && !isResponsePending && (
        <p className="w-full text-ink-3 text-xs">
          {recommended.opens.replace(/…$/, '')} unavailable: {recommended.disabledReason}
        </p>
      )}
    </div>
  )
}

type ChoiceButtonProps<N extends string> = {
  id: string
  choice: ActionChoice<N>
  isFirst: boolean
  onChoose: (choice: ActionChoice<N>) => void
}

function ChoiceButton<N extends string>({ id, choice, isFirst, onChoose }: ChoiceButtonProps<N>) {
  const { opens, key, danger, disabledReason } = choice
  return (
    <Button
      variant={danger ? 'danger' : isFirst ? 'primary' : 'secondary'}
      disabledReason={disabledReason}
      onClick={() => onChoose(choice)}
    >
      {opens}
      {hasTypedDraft(getDraftName(id, choice)) && (
        <span className="font-normal text-xs">draft</span>
      )}
      {key && disabledReason === null && <Kbd className="max-sm:hidden">{key}</Kbd>}
    </Button>
  )
}
