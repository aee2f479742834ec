'use client'

import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isTyping } from './use-shortcut'

type Layer = { within?: RefObject<HTMLElement | null> | undefined; close: () => void }

/** The open layers, newest last. */
const layers: Layer[] = []

/** Layers that the browser closes itself. */
const topLayer = 'dialog[open], [popover="auto"]:popover-open'

function onKeyDown(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || document.querySelector(topLayer)) return
  const last = layers.at(-1)
  if (!last || (isTyping(event.target) && !last.within?.current?.contains(event.target))) return
  event.preventDefault()
  last.close()
}

/**
 * Closes the layer that opened last on Escape, wherever the focus is: a form goes back before its panel closes. In a text field, Escape
 * applies only to the layer that contains the field (`within`), because elsewhere, as in a search box, Escape has its own meaning.
 */
export function useEscape(onEscape: () => void, active: boolean, within?: RefObject<HTMLElement | null>) {
  const close = useEffectEvent(onEscape)
  useEffect(() => {
    if (!active) return
    const layer: Layer = { within, close: () => close() }
    if (layers.length === 0) window.addEventListener('keydown', onKeyDown)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [active, within])
}
