'use client'

import { type UseComboboxState, type UseComboboxStateChangeOptions, useCombobox } from 'downshift'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cn } from './cn'
import { Field } from './field'
import { Input } from './input'

export type ComboboxOption = {
  /** When the list changes, the option with the same key stays highlighted. */
  key: string
  group: string
  body: ReactNode
  /** Arrow keys still reach a disabled option, so that screen readers read the reason. */
  disabledReason?: string | null
  /** The list stays open after this option is chosen, because it then shows other options. */
  leadsOn?: boolean
  onChoose: () => void
}

export type ComboboxProps = {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  listLabel: string
  text: string
  onText: (text: string) => void
  options: readonly ComboboxOption[]
  /** The state of the list as text: number of results, no result, or searching. */
  status: string
  /** If true, the field takes the focus on mount. */
  focused?: boolean
}

type ComboboxChange = UseComboboxStateChangeOptions<ComboboxOption>

const { ItemClick, InputKeyDownEnter, InputKeyDownEscape, InputBlur, InputClick } =
  useCombobox.stateChangeTypes

/**
 * Changes what downshift's combobox does by default. Blur chooses no option. Escape keeps the text.
 * A click on the field opens the list. Enter keeps the list open if no option is highlighted, or if
 * the highlighted option is disabled or leads to other options.
 */
function reduceComboboxState(
  state: UseComboboxState<ComboboxOption>,
  { type, changes }: ComboboxChange,
): ComboboxChange['changes'] {
  const changesKeepingInput = { ...changes, inputValue: state.inputValue, selectedItem: null }
  if (type === InputBlur || type === InputKeyDownEscape) return changesKeepingInput
  if (type === InputClick) return { ...changes, isOpen: true }
  const chosenOption =
    type === ItemClick || type === InputKeyDownEnter ? changes.selectedItem : null
  const { isOpen, highlightedIndex } = state
  if (!chosenOption)
    return type === InputKeyDownEnter ? { ...changesKeepingInput, isOpen } : changes
  if (chosenOption.disabledReason) return { ...changesKeepingInput, isOpen, highlightedIndex }
  return { ...changes, inputValue: state.inputValue, isOpen: chosenOption.leadsOn === true }
}

type HighlightState = { highlightedIndex: number; setHighlightedIndex: (index: number) => void }

/**
 * Keeps the same option highlighted when the list changes, before paint and before the next key.
 * The highlighted index stays in downshift's state. A copy in our own state would be updated later,
 * and Enter would choose the wrong option.
 */
function useStableHighlight(
  options: readonly ComboboxOption[],
  { highlightedIndex, setHighlightedIndex }: HighlightState,
): void {
  const lastHighlight = useRef<{ keys: string; at: string | undefined }>({
    keys: '',
    at: undefined,
  })
  useLayoutEffect(() => {
    const joinedKeys = options.map(({ key }) => key).join(' ')
    const newHighlightedIndex =
      joinedKeys === lastHighlight.current.keys
        ? highlightedIndex
        : options.findIndex(({ key }) => key === lastHighlight.current.at)
    lastHighlight.current = { keys: joinedKeys, at: options[newHighlightedIndex]?.key }
    if (newHighlightedIndex !== highlightedIndex) setHighlightedIndex(newHighlightedIndex)
  })
}

/**
 * Focuses the input inside a container. A ref on the input itself would run at every render,
 * because downshift wraps each ref in a new function.
 */
const focusInputInside = (container: HTMLElement | null) =>
  container?.querySelector('input')?.focus({ preventScroll: true })

/**
 * A text field with a list of results (WAI-ARIA combobox). An option is highlighted only by an
 * arrow key or the pointer. A late response therefore cannot change the option that Enter chooses.
 */
export function Combobox({
  label,
  hint,
  error,
  listLabel,
  text,
  onText,
  options,
  status,
  focused,
}: ComboboxProps) {
  // If the person typed before this script loaded, the list is open from the start.
  const [isOpen, setOpen] = useState(focused === true && text !== '')
  const hasOptions = options.length > 0
  const isListShown = isOpen && hasOptions
  const combobox = useCombobox<ComboboxOption>({
    items: [...options],
    itemToString: () => text,
    itemToKey: (option) => option?.key,
    inputValue: text,
    isOpen: isListShown,
    // The field never shows a chosen option: `onChoose` of the option handles the choice.
    selectedItem: null,
    stateReducer: reduceComboboxState,
    onIsOpenChange: (change) => setOpen(change.isOpen),
    onSelectedItemChange: ({ selectedItem }) => selectedItem?.onChoose(),
  })
  useStableHighlight(options, combobox)
  const onKeyDown = (
    event: KeyboardEvent<HTMLInputElement> & { nativeEvent: { preventDownshiftDefault?: boolean } },
  ) => {
    // The list ignores these keys: Ctrl+Enter (it submits the form), Escape while the list is
    // closed, and keys of an input method.
    const isFormKey =
      (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) ||
      (event.key === 'Escape' && !isListShown)
    if (isFormKey || event.nativeEvent.isComposing) event.nativeEvent.preventDownshiftDefault = true
    else if (event.key === 'Escape') event.preventDefault()
  }
  return (
    <div ref={focused ? focusInputInside : undefined} className="relative grid gap-1">
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <Input
            type="search"
            maxLength={100}
            {...combobox.getInputProps({
              ...control,
              'aria-labelledby': undefined,
              onKeyDown,
              // Closes a list without options too. Otherwise it would open when results arrive
              // after the blur.
              onBlur: () => hasOptions || setOpen(false),
              // Sets the text here: downshift's own change handler would move the caret to the end.
              onChange: (event) => onText(event.currentTarget.value),
            })}
          />
        )}
      </Field>
      <p role="status" className="min-h-4 text-ink-3 text-xs">
        {status}
      </p>
      <div
        {...combobox.getMenuProps({ 'aria-label': listLabel, 'aria-labelledby': undefined })}
        className={cn(
          'absolute inset-x-0 top-full z-20 max-h-80 overflow-y-auto overscroll-contain rounded-lg border border-line bg-raised p-1 shadow-float',
          !isListShown && 'hidden',
        )}
      >
        {isListShown && (
          <OptionGroups
            options={options}
            propsOf={(item, index) => combobox.getItemProps({ item, index })}
            at={combobox.highlightedIndex}
          />
        )}
      </div>
    </div>
  )
}

type OptionGroupsProps = {
  options: readonly ComboboxOption[]
  propsOf: (option: ComboboxOption, index: number) => object
  at: number
}

function OptionGroups({ options, propsOf, at }: OptionGroupsProps) {
  const groupNames = [...new Set(options.map(({ group }) => group))]
  return groupNames.map((name) => (
    // biome-ignore lint/a11y/useSemanticElements: HTML has no element for a group of options
    <div key={name} role="group" aria-label={name}>
      <p aria-hidden="true" className="px-2 pt-1.5 pb-0.5 font-medium text-ink-3 text-xs">
        {name}
      </p>
      {options.map((option, index) =>
        option.group === name ? (
          <div
            key={option.key}
            {...propsOf(option, index)}
            aria-disabled={option.disabledReason ? true : undefined}
            className={cn(
              'flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 rounded-sm px-2 py-1 text-sm aria-disabled:cursor-default',
              index === at && 'bg-selected outline outline-accent -outline-offset-1',
            )}
          >
            {option.body}
            {option.disabledReason && (
              <span className="w-full text-ink-2 text-xs">{option.disabledReason}</span>
            )}
          </div>
        ) : null,
      )}
    </div>
  ))
}
