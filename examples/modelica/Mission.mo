model Mission "ROV Minerva: plant and autopilot of Keelblocks with blocks of the Modelica Standard Library"
  MinervaLos.Plant plant "integrated by the tool";
  MinervaLos.Autopilot autopilot "sampled";
  Modelica.Blocks.Continuous.FirstOrder shafts[5](each k=1, each T=0.1,
    each initType=Modelica.Blocks.Types.Init.InitialOutput) "motors that follow their commands slowly";
  Modelica.Blocks.Continuous.Integrator battery(k=-1/3600, y_start=500,
    initType=Modelica.Blocks.Types.Init.InitialOutput) "energy that is left, W.h";
equation
  connect(plant.eta, autopilot.eta);
  connect(plant.nu, autopilot.nu);
  connect(plant.nu_r, autopilot.nu_r);
  connect(autopilot.command, shafts.u);
  connect(shafts.y, plant.command);
  connect(plant.power, battery.u);
  annotation(uses(Modelica(version="4.0.0"), MinervaLos), experiment(StopTime=160, Interval=0.1, Tolerance=1e-6));
end Mission;
