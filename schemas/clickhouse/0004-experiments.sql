-- Arms of experiments. Rows of before have none.

ALTER TABLE deliveries
    ADD COLUMN IF NOT EXISTS experiment_id String DEFAULT '' COMMENT 'Experiment of the scenario in which the user had an arm; empty without one' AFTER scenario,
    ADD COLUMN IF NOT EXISTS arm LowCardinality(String) DEFAULT '' COMMENT 'control or variant; empty without an experiment' AFTER experiment_id;
