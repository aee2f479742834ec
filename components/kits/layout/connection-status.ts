'use client'

import { useSyncExternalStore } from 'react'
import { readConnectionStatus, readConnectionStatusOnServer, subscribeConnectionStatus } from '@/lib/client/connection-status'

/** Returns the connection status (see `lib/client/connection-status`) and renders again after each change. */
export const useConnectionStatus = () => useSyncExternalStore(subscribeConnectionStatus, readConnectionStatus, readConnectionStatusOnServer)
