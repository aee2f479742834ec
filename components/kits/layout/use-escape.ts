'use client'

import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isInTextField } from './use-shortcut'

type EscapeLayer = { within?: RefObject<HTMLElement | null> | undefined; close: () => void }

/** The open layers, such as forms and panels, the newest last. Escape closes the newest. */
const openLayers: EscapeLayer[] = []

/** Selector of the layers that the browser itself closes on Escape. */
const topLayerSelector = 'dialog[open], [popover="auto"]:popover-open'

function closeNewestLayerOnEscape(event: KeyboardEvent) {
  if (
    event.key !== 'Escape' ||
    event.defaultPrevented ||
    event.isComposing ||
    document.querySelector(topLayerSelector)
  )
    return
  const newestLayer = openLayers.at(-1)
  if (
    !newestLayer ||
    (isInTextField(event.target) && !newestLayer.within?.current?.contains(event.target))
  )
    return
  event.preventDefault()
  newestLayer.close()
}

/**
 * Closes the newest layer on Escape, regardless of the focus: a form closes before its panel. In a
 * text field, Escape closes the layer only if `within` contains the field, because in other fields,
 * such as a search, Escape has its own meaning.
 */
export function useEscape(
  onEscape: () => void,
  active: boolean,
  within?: RefObject<HTMLElement | null>,
) {
  const closeLayer = useEffectEvent(onEscape)
  useEffect(() => {
    if (!active) return
    const layer: EscapeLayer = { within, close: () => closeLayer() }
    if (openLayers.length === 0) window.addEventListener('keydown', closeNewestLayerOnEscape)
    openLayers.push(layer)
    return () => {
      openLayers.splice(openLayers.indexOf(layer), 1)
      if (openLayers.length === 0) window.removeEventListener('keydown', closeNewestLayerOnEscape)
    }
  }, [active, within])
}
