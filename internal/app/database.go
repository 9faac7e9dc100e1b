package app

import (
	"github.com/prometheus/client_golang/prometheus"

	"missiond/internal/database"
	"missiond/store"
)

// ConnectionOptions say how a process uses Postgres.
type ConnectionOptions struct {
	DatabaseConnections int                 `help:"How many connections to Postgres the process has at most, 4 or more. All processes together must stay below the server's max_connections." default:"20"`
	DatabaseStatements  database.Statements `help:"How statements are sent to Postgres: prepared once per connection; plain, as a pooler without support for prepared statements needs; auto finds out." enum:"auto,prepared,plain" default:"auto"`
}

// options returns the store's options for a kind of process and a version of the
// program.
func (o ConnectionOptions) options(kind, program string) store.Options {
	return store.Options{Program: program, Database: database.Options{
		Connections: o.DatabaseConnections, Statements: o.DatabaseStatements, Name: "missiond " + kind + " " + program,
	}}
}

// poolMetrics are the figures of the pools of connections to the database.
type poolMetrics struct {
	db                                     *store.DB
	connections, most, waits, wait, closed *prometheus.Desc
	replica                                *prometheus.Desc
}

var _ prometheus.Collector = (*poolMetrics)(nil)

func newPoolMetrics(db *store.DB) *poolMetrics {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("missiond_database_"+name, help, append([]string{"pool"}, labels...), nil)
	}
	return &poolMetrics{
		db:          db,
		connections: desc("connections", "Open connections to the database, by state (idle, in_use).", "state"),
		most:        desc("connections_max", "How many connections there may be. It is lowered while the server has none to spare."),
		waits:       desc("waits_total", "Calls that waited for a connection of the pool."),
		wait:        desc("wait_seconds_total", "How long calls waited for a connection of the pool."),
		closed: desc("connections_closed_total",
			"Connections closed, by reason (idle, life; discarded if they might have led to a former primary).", "reason"),
		replica: prometheus.NewDesc("missiond_database_replica_requests_total",
			"Requests that the replica was to answer, by result: answered; lagging or unavailable, whereupon the database answered.",
			[]string{"result"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (m *poolMetrics) Describe(descs chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, descs) }

// Collect implements prometheus.Collector.
func (m *poolMetrics) Collect(metrics chan<- prometheus.Metric) {
	for _, p := range m.db.Pools() {
		send := func(desc *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
			metrics <- prometheus.MustNewConstMetric(desc, kind, value, append([]string{p.Name}, labels...)...)
		}
		send(m.connections, prometheus.GaugeValue, float64(p.Idle), "idle")
		send(m.connections, prometheus.GaugeValue, float64(p.InUse), "in_use")
		send(m.most, prometheus.GaugeValue, float64(p.MaxOpenConnections))
		send(m.waits, prometheus.CounterValue, float64(p.WaitCount))
		send(m.wait, prometheus.CounterValue, p.WaitDuration.Seconds())
		send(m.closed, prometheus.CounterValue, float64(p.MaxIdleTimeClosed), "idle")
		send(m.closed, prometheus.CounterValue, float64(p.MaxLifetimeClosed), "life")
		send(m.closed, prometheus.CounterValue, float64(p.Discarded), "discarded")
	}
	if s, ok := m.db.Replica(); ok {
		for result, n := range map[string]int64{"answered": s.Answered, "lagging": s.Lagging, "unavailable": s.Unavailable} {
			metrics <- prometheus.MustNewConstMetric(m.replica, prometheus.CounterValue, float64(n), result)
		}
	}
}
