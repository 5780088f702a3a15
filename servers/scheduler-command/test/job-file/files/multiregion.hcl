job "global" {
  multiregion {
    strategy {
      max_parallel = 1
      on_failure   = "fail_all"
    }
    region "west" {
      count       = 2
      datacenters = ["west-1"]
    }
    region "east" {
      count       = 1
      datacenters = ["east-1"]
      meta { tier = "b" }
    }
  }
  group "g" {
    task "t" {
      driver = "docker"
      config { image = "x" }
    }
  }
}
