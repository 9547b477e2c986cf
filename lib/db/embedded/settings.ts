/** Server settings, given on the command line at each start so that a new release of Rapport applies its own. */
export function serverSettings({ logs, durable }: { logs: string; durable: boolean }): string[] {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",

    // For two cores and two gigabytes, shared with the app.
    shared_buffers: "256MB",
    effective_cache_size: "1GB",
    work_mem: "16MB",
    maintenance_work_mem: "128MB",
    random_page_cost: "1.1",
    max_parallel_workers_per_gather: "1",
    jit: "off",

    // Bulk loads fill the log for minutes before a checkpoint; an embedded server has no replicas.
    max_wal_size: "2GB",
    min_wal_size: "128MB",
    checkpoint_timeout: "15min",
    // Pages are not compressed in the log: pglz, the only method in this build, took half of the database's time after a
    // checkpoint.
    wal_compression: "off",
    // What a backup of the running database needs.
    wal_level: "replica",
    max_wal_senders: "0",
    // Log that cannot be archived (BACKUP_TO is away) is kept so long, then dropped: the disk must not fill.
    max_slot_wal_keep_size: "4GB",

    // Autovacuum handles statistics and dead rows of a fast growing table within seconds.
    autovacuum_naptime: "10s",

    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",

    // One file a weekday, overwritten after a week.
    logging_collector: "on",
    log_directory: logs,
    log_filename: "postgres-%a.log",
    log_truncate_on_rotation: "on",
    log_rotation_age: "1d",
    log_rotation_size: "0",
    log_checkpoints: "off",
    log_line_prefix: "%m [%p] %q%a ",
  };
  if (!durable)
    Object.assign(settings, {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      wal_level: "minimal",
      max_wal_size: "512MB",
    });
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
